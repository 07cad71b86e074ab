"""What operators see: logs, metrics, failures, worker processes."""
