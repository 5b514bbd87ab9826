// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The HTTPS server for the API server's webhooks: conversion between versions, defaults and
 * validation. It runs on every replica, with a certificate that the core creates and renews itself
 * or that is mounted.
 */
@NullMarked
package io.github.kueue4j.core.webhook;

import org.jspecify.annotations.NullMarked;
