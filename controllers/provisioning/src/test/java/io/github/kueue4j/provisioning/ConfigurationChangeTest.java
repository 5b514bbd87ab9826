// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfig;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.Parameters;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a request when its configuration is changed, missing or another one. */
class ConfigurationChangeTest {

  private static final ObjectKey CONFIG = ObjectKey.cluster("spot");
  private ProvisioningStage stage;

  @BeforeEach
  void start() throws InterruptedException {
    stage = ProvisioningStage.started();
    stage.reserve(null);
  }

  @AfterEach
  void stop() {
    stage.close();
  }

  @Test
  void anOpenRequestIsReplacedByOneForWhatTheConfigurationSaysNow() {
    ProvisioningRequest before = stage.awaitRequest("train-spot-1");

    stage.applyConfig("spot", "another-class");

    assertThat(stage.awaitAnother(before).spec().provisioningClassName())
        .isEqualTo("another-class");
    assertThat(stage.entry().is(CheckState.PENDING)).isTrue();
    assertThat(stage.entry().retryCount()).as("it failed at nothing").isNull();
  }

  @Test
  void soItIsWhereTheAdmissionCheckNamesAnotherConfiguration() {
    ProvisioningRequest before = stage.awaitRequest("train-spot-1");
    stage.applyConfig("other", "other-class");

    stage.nameConfig("other");

    assertThat(stage.awaitAnother(before).spec().provisioningClassName()).isEqualTo("other-class");
  }

  @Test
  void whileTheConfigurationIsMissingTheRequestWaitsAndTheEntrySaysWhy() {
    ProvisioningRequest before = stage.awaitRequest("train-spot-1");

    stage.nameConfig("missing");
    await()
        .until(
            () ->
                stage
                    .entry()
                    .message()
                    .equals(
                        "The check is not active: the ProvisioningRequestConfig 'missing' does not"
                            + " exist: create it, or correct spec.parameters.name"));
    stage.answer("train-spot-1", stage.now("Provisioned", "here"));

    stage.nameConfig("spot");
    await().until(() -> stage.entry().is(CheckState.READY));
    assertThat(stage.awaitRequest("train-spot-1").metadata().getUid())
        .as("it keeps its place in the autoscaler's line")
        .isEqualTo(before.metadata().getUid());
  }

  /** The pods consume it. */
  @Test
  void whatIsProvisionedAlreadyStays() {
    stage.answer("train-spot-1", stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));
    stage.awaitSeen();

    stage.applyConfig("spot", "another-class");
    stage.time.advance(Duration.ofHours(2));
    stage.answer(
        "train-spot-1", stage.now("Provisioned", "here"), stage.now("CapacityRevoked", "gone"));

    await().until(() -> stage.entry().is(CheckState.REJECTED));
    assertThat(stage.awaitRequest("train-spot-1").spec().provisioningClassName())
        .isEqualTo("spot-class");
  }

  @Test
  void aDeletedConfigurationThatComesBackChangesNothing() {
    ProvisioningRequest before = stage.awaitRequest("train-spot-1");
    stage.api.delete(KueueTypes.PROVISIONING_REQUEST_CONFIG, CONFIG, DeleteOptions.background());
    await().until(() -> stage.entry().message().startsWith("The check is not active"));

    stage.applyOriginalConfig();

    await().until(() -> stage.entry().message().equals(Answer.NONE_YET));
    assertThat(stage.awaitRequest("train-spot-1").metadata().getUid())
        .isEqualTo(before.metadata().getUid());
  }

  /** kubectl, GitOps tools and people write annotations; no delay ends by them. */
  @Test
  void whatIsWrittenAboutAConfigurationIsNoChangeOfIt() {
    ProvisioningRequestConfig one = config();
    ProvisioningRequestConfig labelled = config();
    labelled.metadata().putLabelsItem("team", "a").setResourceVersion("2");

    assertThat(read(labelled)).isEqualTo(read(one));
  }

  @SuppressWarnings("unchecked") // The source's type is not part of the parameters' one.
  private static ProvisioningRequestConfigSpec read(ProvisioningRequestConfig config) {
    var source =
        (Parameters.Source<ProvisioningRequestConfig, ProvisioningRequestConfigSpec>)
            ProvisioningCheck.PARAMETERS.source().orElseThrow();
    return source.reader().apply(config);
  }

  private ProvisioningRequestConfig config() {
    return stage.api.get(KueueTypes.PROVISIONING_REQUEST_CONFIG, CONFIG).orElseThrow();
  }
}
