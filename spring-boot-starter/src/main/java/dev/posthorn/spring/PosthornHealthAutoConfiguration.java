package dev.posthorn.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Tells the Actuator how relays and the database of the log are. */
@AutoConfiguration(after = PosthornAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Lookout.class)
@ConditionalOnEnabledHealthIndicator("posthorn")
class PosthornHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "posthornHealthIndicator")
    HealthIndicator posthornHealthIndicator(Lookout lookout) {
        return new PosthornHealthIndicator(lookout);
    }
}
