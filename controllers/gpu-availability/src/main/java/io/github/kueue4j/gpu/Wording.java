// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.RepellingTaint;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.gpu.source.CapacitySource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people are told about the room for a workload. */
final class Wording {

  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");

  /** How many taints a message names: those of most nodes. */
  private static final int MOST_TAINTS = 2;

  private Wording() {}

  /** Why there is no room, and for which taints nodes were passed over: a few sentences. */
  static String of(Refusal refusal, Demand demand) {
    String taints =
        refusal.taints().stream()
            .limit(MOST_TAINTS)
            .map(one -> " " + repelling(one))
            .collect(Collectors.joining());
    return shortage(refusal.shortage(), demand) + ahead(refusal.ahead()) + taints;
  }

  private static String ahead(int pods) {
    return switch (pods) {
      case 0 -> "";
      case 1 -> " Room is left to a pod without a Workload that is about to be bound.";
      default ->
          " Room is left to " + pods + " pods without a Workload that are about to be bound.";
    };
  }

  private static String repelling(RepellingTaint found) {
    return found.nodes() == 1
        ? "The node %s has the taint %s, and the pods don't tolerate it."
            .formatted(found.example(), found.taint())
        : "%d nodes have the taint %s, such as %s, and the pods don't tolerate it."
            .formatted(found.nodes(), found.taint(), found.example());
  }

  private static String shortage(Shortage shortage, Demand demand) {
    return switch (shortage) {
      case Shortage.NoSuchNode none -> noSuchNode(none.group());
      case Shortage.LargerThanAnyNode larger -> larger(larger, demand);
      case Shortage.MoreThanAllNodes more ->
          "The pod set '%s' has %d pods; the %s that may take them have room for %d, even if nothing else runs there."
              .formatted(
                  more.group().name(), more.group().count(), nodes(more.nodes()), more.pods());
      case Shortage.Fragmented fragmented -> fragmented(fragmented, demand);
      case Shortage.TooLittle little -> tooLittle(little, demand);
    };
  }

  private static String noSuchNode(PodGroup group) {
    Optional<String> offered = CapacitySource.flavor(group.needs().constraints());
    if (offered.isPresent()) {
      return "The capacity source offers no nodes of the flavor '" + offered.get() + "'.";
    }
    String node = group.needs().constraints().node();
    if (!node.isEmpty()) {
      return "The pods of the pod set '%s' name the node %s, which isn't there or may not take them."
          .formatted(group.name(), node);
    }
    String labels =
        group.needs().constraints().selector().entrySet().stream()
            .map(label -> label.getKey() + '=' + label.getValue())
            .sorted()
            .collect(Collectors.joining(", "));
    return "No node may take the pods of the pod set '"
        + group.name()
        + "': none has the labels that they need"
        + (labels.isEmpty() ? "" : " (" + labels + ")")
        + " and only taints that they tolerate.";
  }

  private static String larger(Shortage.LargerThanAnyNode larger, Demand demand) {
    String resource = larger.resource();
    PodGroup group = larger.group();
    return "A pod of the pod set '%s' needs %s; the largest node, %s, has %s."
        .formatted(
            group.name(),
            amount(group.needs().requests().of(resource), resource, group, demand),
            larger.node(),
            amount(larger.offered(), resource, group, demand));
  }

  private static String fragmented(Shortage.Fragmented found, Demand demand) {
    PodGroup group = found.group();
    long needed = group.needs().requests().of(found.resource());
    String free = amount(found.free(), found.resource(), group, demand) + " free, but ";
    if (found.mostOnOne() < needed) {
      return free
          + "on "
          + nodes(found.nodes())
          + ": a pod needs "
          + needed
          + " on one node, and at most "
          + found.mostOnOne()
          + (found.mostOnOne() == 1 ? " is" : " are")
          + " free there.";
    }
    return found.lacking().isEmpty()
        ? free
            + "not where all pods of the workload fit on the nodes together"
            + (demand.isSeparated()
                ? ": some must not be together (podAntiAffinity or hostPort)."
                : ".")
        : free
            + "nodes with "
            + needed
            + " of them have too little "
            + found.lacking().stream().sorted().collect(Collectors.joining(" or "))
            + " left.";
  }

  private static String tooLittle(Shortage.TooLittle little, Demand demand) {
    PodGroup group = little.group();
    if (!demand.resources().contains(little.resource())) {
      return "The nodes have no room for the pod set '%s': too little %s is free."
          .formatted(group.name(), little.resource());
    }
    String gpus = gpus(little.resource(), group, demand);
    return little.free() == 0
        ? "No " + gpus + " available."
        : "Only %d of %d %s available."
            .formatted(little.free(), demand.total(little.resource(), group), gpus);
  }

  private static String amount(long amount, String resource, PodGroup group, Demand demand) {
    if (demand.resources().contains(resource)) {
      return amount + " " + gpus(resource, group, demand);
    }
    return resource.equals("cpu")
        ? (amount % 1000 == 0 ? amount / 1000 + "" : amount + "m") + " cpu"
        : amount + " " + (resource.equals(Amounts.PODS) ? "pods" : resource);
  }

  /** For example {@code A100 GPUs}, or {@code A100 nvidia.com/mig-1g.5gb}. */
  private static String gpus(String resource, PodGroup group, Demand demand) {
    String kind = demand.kinds().getOrDefault(group.name(), "");
    String noun = resource.endsWith("/gpu") ? "GPUs" : resource;
    return kind.isEmpty() ? noun : kind + " " + noun;
  }

  private static String nodes(int count) {
    String number = count < NUMBERS.size() ? NUMBERS.get(count) : Integer.toString(count);
    return number + (count == 1 ? " node" : " nodes");
  }
}
