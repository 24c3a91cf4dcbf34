package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcTransport;
import dev.posthorn.transports.ipc.Shape;
import dev.posthorn.transports.kafka.KafkaConfig;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.nio.file.Path;
import java.time.Duration;

/** A bus by an address such as {@code kafka 127.0.0.1:9092}, with short times until a dead member is replaced. */
final class ConsumedBus {

    static final String PREFIX = "shop";

    private ConsumedBus() {}

    static Bus open(String address) {
        String[] parts = address.split(" ", 2);
        return switch (parts[0]) {
            case "rabbitmq" ->
                new RabbitMqTransport(RabbitMqConfig.of(
                        Endpoint.of(parts[1], new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password())), PREFIX));
            case "ipc" -> new IpcTransport(IpcConfig.in(Path.of(parts[1])).shape(Shape.HUB));
            case "kafka" ->
                KafkaConfig.of(parts[1], PREFIX)
                        .discovery(Duration.ofMillis(500))
                        .client("session.timeout.ms", "3000")
                        .client("heartbeat.interval.ms", "300")
                        .build();
            case "redis" ->
                new RedisStreamsTransport(RedisStreamsConfig.at("redis://" + parts[1])
                        .names(Names.withPrefix(PREFIX))
                        .timing(new RedisStreamsConfig.Timing(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(1),
                                Duration.ofHours(24),
                                Duration.ofMinutes(1))));
            default -> throw new IllegalArgumentException("There is no broker " + address);
        };
    }
}
