package dev.posthorn.spring;

import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.Handlers;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods with {@link EventHandler}, in all beans, without making any. */
final class HandlerMethods {

    private final ConfigurableListableBeanFactory beans;
    private final @Nullable PayloadCodec codec;

    HandlerMethods(ConfigurableListableBeanFactory beans, @Nullable PayloadCodec codec) {
        this.beans = beans;
        this.codec = codec;
    }

    /** By consumer. Whatever is wrong with a method is added to the faults. */
    Map<String, Handlers<Connection>> find(List<String> faults) {
        Map<String, Handlers<Connection>> found = new TreeMap<>();
        for (String bean : beans.getBeanNamesForType(Object.class, false, false)) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type != null && AnnotationUtils.isCandidateClass(type, EventHandler.class)) {
                methodsOf(type).forEach((method, wish) -> add(found, bean, method, wish, faults));
            }
        }
        return found;
    }

    private static Map<Method, EventHandler> methodsOf(Class<?> type) {
        MethodIntrospector.MetadataLookup<@Nullable EventHandler> lookup =
                method -> AnnotatedElementUtils.findMergedAnnotation(method, EventHandler.class);
        return MethodIntrospector.selectMethods(type, lookup);
    }

    private void add(
            Map<String, Handlers<Connection>> found,
            String bean,
            Method method,
            EventHandler wish,
            List<String> faults) {
        String consumer = resolved(wish.consumer());
        if (consumer.isBlank()) {
            faults.add(HandlerMethod.nameOf(method) + " names no consumer");
            return;
        }
        Class<?> shown = beans.getType(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, shown == null ? method.getDeclaringClass() : shown);
        HandlerMethod handler = HandlerMethod.of(() -> beans.getBean(bean), invocable, codec, faults);
        String name = wish.name().isBlank() ? method.getName() : wish.name();
        try {
            Handlers<Connection> known = found.getOrDefault(consumer, Handlers.none());
            found.put(
                    consumer,
                    wish.types().length == 0
                            ? known.onAll(name, handler)
                            : known.on(Set.of(wish.types()), name, handler));
        } catch (PosthornException | IllegalArgumentException twice) {
            faults.add(HandlerMethod.nameOf(method) + ": " + twice.getMessage());
        }
    }

    private String resolved(String text) {
        String embedded = beans.resolveEmbeddedValue(text);
        return embedded == null ? text : embedded;
    }
}
