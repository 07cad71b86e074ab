"""The server: tables that people share, and what it keeps of them."""
