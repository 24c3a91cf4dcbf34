/** Payloads are encrypted before they are emitted and decrypted before they are handled; everything in between has ciphertext. */
@NullMarked
package dev.posthorn.encryption;

import org.jspecify.annotations.NullMarked;
