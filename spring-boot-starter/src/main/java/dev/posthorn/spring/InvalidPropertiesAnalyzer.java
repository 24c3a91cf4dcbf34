package dev.posthorn.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Spring Boot say what is wrong instead of where it was thrown. */
final class InvalidPropertiesAnalyzer extends AbstractFailureAnalyzer<InvalidPropertiesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertiesException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the properties or handlers that are named above; docs/spring-boot.md has them all.",
                cause);
    }
}
