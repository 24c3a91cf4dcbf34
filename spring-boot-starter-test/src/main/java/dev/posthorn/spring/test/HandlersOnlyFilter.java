package dev.posthorn.spring.test;

import dev.posthorn.spring.EventHandler;
import java.io.IOException;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out components without a method that handles events. */
final class HandlersOnlyFilter extends StandardAnnotationCustomizableTypeExcludeFilter<PosthornTest> {

    HandlersOnlyFilter(Class<?> testClass) {
        super(testClass);
    }

    @Override
    protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        return super.defaultInclude(reader, factory)
                || reader.getAnnotationMetadata().hasAnnotatedMethods(EventHandler.class.getName());
    }
}
