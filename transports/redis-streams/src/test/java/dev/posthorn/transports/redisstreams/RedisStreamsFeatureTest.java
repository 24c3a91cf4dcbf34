package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisStreamsFeatureTest extends TransportFeature {}
