package dev.posthorn.server;

import dev.posthorn.codecs.Envelope;
import dev.posthorn.codecs.Envelopes;
import dev.posthorn.codecs.PlainEnvelope;
import dev.posthorn.encryption.Encryption;
import dev.posthorn.registry.CheckedPublisher;
import dev.posthorn.registry.Registry;
import dev.posthorn.tracing.Tracing;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.util.Optional;

/**
 * What events of a route go through between relay and transport: first the checks, then the claim check, then the span, then the envelope.
 *
 * @param registry empty: nothing is checked
 * @param encryptedOnly whether payloads in the clear are refused
 * @param traced whether publishes have spans
 * @param claims empty: payloads travel whatever their size
 */
record Passage(
        Optional<Registry> registry,
        Envelope envelope,
        boolean encryptedOnly,
        boolean traced,
        Optional<ClaimPlan> claims) {

    /** Events travel as they are. */
    static final Passage PLAIN = new Passage(Optional.empty(), new PlainEnvelope(), false, false, Optional.empty());

    /** A publisher of a transport, behind all of it; the claim check is the process' own. */
    Publisher to(Transport transport, Optional<Claims> claiming) {
        Publisher sealing = Envelopes.around(transport.publisher(), envelope);
        Publisher spanning = traced
                ? Tracing.by(GlobalOpenTelemetry.get()).over(transport.name()).around(sealing)
                : sealing;
        Publisher light =
                claiming.map(check -> check.around(spanning, transport)).orElse(spanning);
        Publisher strict = encryptedOnly ? Encryption.required(light) : light;
        return registry.<Publisher>map(known -> new CheckedPublisher(strict, known))
                .orElse(strict);
    }
}
