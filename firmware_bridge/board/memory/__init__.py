"""What is durable, and what is told: the journal, and what is published of it."""
