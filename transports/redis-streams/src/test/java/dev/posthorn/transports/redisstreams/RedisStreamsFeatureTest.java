package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.gherkin.TransportFeature;

class RedisStreamsFeatureTest extends TransportFeature {}
