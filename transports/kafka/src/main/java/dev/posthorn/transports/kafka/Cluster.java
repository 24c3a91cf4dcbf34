package dev.posthorn.transports.kafka;

/** One Kafka cluster as this transport knows it. */
record Cluster(KafkaConfig config, ClientProperties properties, TopicNames names, TopicKeeper keeper) {

    /** Throws {@link dev.posthorn.event.PosthornException} if the settings or the names are not possible. */
    static Cluster of(KafkaConfig config) {
        ClientProperties properties = new ClientProperties(config);
        return new Cluster(config, properties, new TopicNames(config.names()), new TopicKeeper(config, properties));
    }
}
