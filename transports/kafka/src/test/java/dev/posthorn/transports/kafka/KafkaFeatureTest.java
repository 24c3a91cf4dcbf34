package dev.posthorn.transports.kafka;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class KafkaFeatureTest extends TransportFeature {}
