"""What travels over MQTT: topics, payloads, client, brokers and the outbox."""
