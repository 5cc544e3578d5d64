// Placeholder: this target's first file replaces it.
