"""What the seeds are made of."""
