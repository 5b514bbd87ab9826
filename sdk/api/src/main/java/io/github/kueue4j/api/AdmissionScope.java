// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The scope in which past usage orders the queues below (KEP-4136).
 *
 * @param admissionMode whether past usage counts
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionScope(@Required AdmissionMode admissionMode) {
  public AdmissionScope {
    admissionMode = admissionMode == null ? AdmissionMode.NO_ADMISSION_FAIR_SHARING : admissionMode;
  }
}
