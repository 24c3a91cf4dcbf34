package dev.posthorn.registry;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class as a text: its name, and the names and types of a record's components, an enum's constants or a class' fields, and
 * so on with their classes, down to those of Java itself. What a constructor does is no part of it.
 */
final class Shape {

    private final StringBuilder text = new StringBuilder();
    private final Set<Class<?>> seen = new HashSet<>();

    private Shape() {}

    static String of(Class<?> type) {
        Shape shape = new Shape();
        shape.add(type);
        return shape.text.toString();
    }

    private void add(@Nullable Type type) {
        if (type instanceof ParameterizedType generic) {
            add(generic.getRawType());
            Arrays.stream(generic.getActualTypeArguments()).forEach(this::add);
        } else if (type instanceof Class<?> plain && plain.isArray()) {
            add(plain.getComponentType());
        } else if (type instanceof Class<?> plain && plain.getClassLoader() != null && seen.add(plain)) {
            text.append(plain.getName()).append('(');
            members(plain);
            add(plain.getGenericSuperclass());
            text.append(')');
        }
    }

    private void members(Class<?> type) {
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                member(component.getName(), component.getGenericType());
            }
        } else {
            Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !field.isSynthetic()
                            && (field.isEnumConstant() || !Modifier.isStatic(field.getModifiers())))
                    .sorted(Comparator.comparing(Field::getName)) // the JVM promises no order
                    .forEach(field -> member(field.getName(), field.getGenericType()));
        }
    }

    private void member(String name, Type type) {
        text.append(name).append(' ').append(type.getTypeName()).append(' ');
        add(type);
        text.append(',');
    }
}
