"""What tools/bench/run is made of."""
