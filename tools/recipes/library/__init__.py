"""What every recipe shares: the capture, the catalogue of scenarios, and peers that do as they are told."""
