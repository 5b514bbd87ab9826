/**
 * The HTTPS side of the core, for the API server alone: conversion between versions, defaults and
 * validation. It serves on every replica, with a certificate that the core makes and renews itself
 * or that somebody mounts.
 */
@NullMarked
package io.github.kueue4j.core.webhook;

import org.jspecify.annotations.NullMarked;
