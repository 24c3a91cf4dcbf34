package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RabbitMqFeatureTest extends TransportFeature {}
