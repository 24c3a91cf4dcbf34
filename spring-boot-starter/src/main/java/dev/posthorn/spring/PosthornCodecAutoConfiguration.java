package dev.posthorn.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.PayloadCodec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/**
 * How payloads become values: by the application's own mapper, be it of Jackson 3 or 2, else by one of Posthorn's. The two
 * versions of Jackson live in packages of their own and do not meet.
 */
@AutoConfiguration(
        before = PosthornAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
        })
@Import({
    PosthornCodecAutoConfiguration.ByJackson3.class,
    PosthornCodecAutoConfiguration.ByJackson2.class,
    PosthornCodecAutoConfiguration.ByItself.class
})
class PosthornCodecAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    @ConditionalOnSingleCandidate(JsonMapper.class)
    @ConditionalOnMissingBean(PayloadCodec.class)
    static class ByJackson3 {

        @Bean
        PayloadCodec posthornCodec(JsonMapper mapper) {
            return new JacksonCodec(mapper);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(ObjectMapper.class)
    @ConditionalOnMissingBean(PayloadCodec.class)
    static class ByJackson2 {

        @Bean
        PayloadCodec posthornCodec(ObjectMapper mapper) {
            return new JsonCodec(mapper);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(PayloadCodec.class)
    static class ByItself {

        @Bean
        PayloadCodec posthornCodec() {
            return new JsonCodec();
        }
    }
}
