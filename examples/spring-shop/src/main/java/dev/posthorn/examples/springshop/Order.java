package dev.posthorn.examples.springshop;

/** What travels as the payload of order.placed, in cents. */
public record Order(String id, int total) {}
