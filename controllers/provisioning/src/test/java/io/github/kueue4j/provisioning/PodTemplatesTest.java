// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PodTemplates that already have the names that a request needs. */
class PodTemplatesTest extends ProvisioningCheckFixture {

  /** Without a garbage collector it would stay for ever. */
  @Test
  void aTemplateOfTheReplacedRequestIsDeletedAndCreatedAnew() {
    templates.put(template(owner("old-request").kind("ProvisioningRequest").name(REQUEST.name())));

    assertThat(check.evaluate(evaluation()))
        .isEqualTo(
            Verdict.pending(
                "Replacing a pod template that is out of date: default/ppt-train-spot-2-main has to"
                    + " go first.",
                Duration.ofSeconds(2)));
    assertThat(resources.deleted).containsExactly(TEMPLATE);

    templates.remove(TEMPLATE);
    Verdict second = check.evaluate(evaluation());
    assertThat(second).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(templates.get(TEMPLATE).orElseThrow().getMetadata().getOwnerReferences())
        .extracting(V1OwnerReference::getUid)
        .containsExactly("uid-of-train-spot-2");
  }

  @Test
  void anOwnTemplateThatIsThereAlreadyIsKept() {
    check.evaluate(evaluation());
    V1PodTemplate there = templates.get(TEMPLATE).orElseThrow();
    templates.remove(TEMPLATE);
    check.evaluate(evaluation()); // Not there yet: as after a failure between two creations.
    assertThat(templates.get(TEMPLATE)).isPresent();
    templates.put(there);

    assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(resources.deleted).isEmpty();
    assertThat(templates.get(TEMPLATE).orElseThrow()).isSameAs(there);
  }

  @Test
  void aTemplateOfAnotherOwnerIsKeptAndTheRequestGetsAnotherName() {
    V1PodTemplate byHand = template(owner("a-colleague"));
    byHand.getMetadata().setOwnerReferences(null);
    for (V1PodTemplate other :
        List.of(
            byHand,
            template(owner("a-colleague").kind("ProvisioningRequest")),
            template(owner("a-colleague").kind("Deployment").name(REQUEST.name())),
            template(
                owner("x").kind("ProvisioningRequest").name(REQUEST.name()).controller(false)))) {
      templates.put(other);
      resources.deleted.clear();
      requests.remove(REQUEST);
      requests.remove(OTHER);

      assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));

      // Nothing was provided yet for the pods of the other template.
      assertThat(resources.deleted).contains(REQUEST).doesNotContain(TEMPLATE, OTHER);
      assertThat(requests.get(OTHER)).isPresent();
      assertThat(templates.get(OTHER_TEMPLATE)).isPresent();
      templates.remove(OTHER_TEMPLATE);
    }
  }

  @Test
  void whereBothNamesAreTakenTheMessageSaysWhatStandsInTheWay() {
    templates.put(template(owner("a-colleague")));
    V1PodTemplate second = template(owner("a-colleague"));
    second.getMetadata().setName(OTHER_TEMPLATE.name());
    templates.put(second);

    Verdict first = check.evaluate(evaluation());
    requests.remove(REQUEST);
    resources.deleted.clear();
    Verdict again = check.evaluate(evaluation());

    assertThat(first)
        .isEqualTo(again)
        .isEqualTo(
            Verdict.pending(
                "The PodTemplate default/"
                    + OTHER_TEMPLATE.name()
                    + " has the name that a new one needs and another owner: delete it.",
                Duration.ofSeconds(30)));
    assertThat(resources.deleted).as("each would wake the check").isEmpty();
  }

  @Test
  void anOwnTemplateThatIsGoingAlreadyIsWaitedFor() {
    check.evaluate(evaluation());
    V1PodTemplate going = templates.get(TEMPLATE).orElseThrow();
    going.getMetadata().setDeletionTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));

    assertThat(check.evaluate(evaluation())).isInstanceOf(Verdict.Pending.class);
    assertThat(resources.deleted).isEmpty();
    assertThat(requests.get(OTHER)).isEmpty();
  }
}
