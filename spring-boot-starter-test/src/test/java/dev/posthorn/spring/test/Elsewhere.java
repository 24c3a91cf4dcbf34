package dev.posthorn.spring.test;

import org.springframework.stereotype.Component;

@Component
class Elsewhere {}
