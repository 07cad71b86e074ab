"""Tables with people at them: what they say becomes events, and events are told."""
