package dev.posthorn.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Emitting.
 *
 * @param maxPayload The largest payload taken, up to 64MB. Too low: events are refused that the broker would take.
 */
@ConfigurationProperties("posthorn.outbox")
record PosthornOutboxProperties(@DefaultValue("1MB") DataSize maxPayload) {}
