// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import static net.bytebuddy.jar.asm.Opcodes.ALOAD;
import static net.bytebuddy.jar.asm.Opcodes.ASM9;
import static net.bytebuddy.jar.asm.Opcodes.ICONST_1;
import static net.bytebuddy.jar.asm.Opcodes.PUTFIELD;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import org.jspecify.annotations.Nullable;

/**
 * Lets code see simulated time where it calls {@link System#nanoTime}: the parts of the JDK that
 * wait for a limited time, Awaitility, the client library and this project. The code itself stays
 * as it is.
 */
final class SimulatedNanoTime implements ClassFileTransformer {
  /** The name of {@link Nanos} beside the JDK's own classes. */
  private static final String HOOK = "java/lang/SimulatedNanos";

  /** Those that wait, of {@code java.util.concurrent} and {@code java.lang}. */
  private static final Set<String> JDK =
      Set.of(
          "java/lang/Thread",
          "java/lang/VirtualThread",
          "java/util/concurrent/CompletableFuture",
          "java/util/concurrent/CompletableFuture$Signaller",
          "java/util/concurrent/FutureTask",
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          "java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
          "java/util/concurrent/SynchronousQueue$Transferer",
          "java/util/concurrent/LinkedTransferQueue",
          "java/util/concurrent/ThreadPerTaskExecutor",
          "java/util/concurrent/AbstractExecutorService",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject");

  private static final List<String> OTHERS =
      List.of("io/github/kueue4j/", "io/kubernetes/client/", "org/awaitility/");

  private static final String SIMULATION = "io/github/kueue4j/simulation/";

  private SimulatedNanoTime() {}

  /**
   * Installs it for the whole JVM.
   *
   * @param ofVirtualThread the time of a virtual thread
   */
  static void install(ToLongFunction<Thread> ofVirtualThread) {
    Instrumentation instrumentation = ByteBuddyAgent.install();
    try {
      hook().getField("ofVirtualThread").set(null, ofVirtualThread);
      SimulatedNanoTime transformer = new SimulatedNanoTime();
      // Once without effect: a transformer must not need a class that is about to be loaded.
      rewritten(bytesOf('/' + Type.getInternalName(Nanos.class) + ".class"));
      instrumentation.addTransformer(transformer, true);
      List<Class<?>> loaded = new ArrayList<>();
      for (Class<?> type : instrumentation.getAllLoadedClasses()) {
        if (!type.isArray() && !type.isHidden() && waits(type.getName().replace('.', '/'))) {
          loaded.add(type);
        }
      }
      instrumentation.retransformClasses(loaded.toArray(Class<?>[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException("the hook for simulated time could not be read", e);
    } catch (ReflectiveOperationException | UnmodifiableClassException e) {
      throw VirtualThreads.unsuited(e);
    }
  }

  /** The class that the JDK's classes are to call, as one of theirs. */
  private static Class<?> hook() throws IOException, IllegalAccessException {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytesOf('/' + Type.getInternalName(Nanos.class) + ".class"))
        .accept(
            new ClassRemapper(
                writer, new SimpleRemapper(ASM9, Type.getInternalName(Nanos.class), HOOK)),
            0);
    return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
        .defineClass(writer.toByteArray());
  }

  private static byte[] bytesOf(String resource) throws IOException {
    try (InputStream bytes = SimulatedNanoTime.class.getResourceAsStream(resource)) {
      if (bytes == null) {
        throw new IOException(resource + " is not on the class path");
      }
      return bytes.readAllBytes();
    }
  }

  private static boolean waits(String type) {
    if (JDK.contains(type)) {
      return true;
    }
    // A loop: a lambda would be one more class that is loaded for each class that is.
    for (String prefix : OTHERS) {
      if (type.startsWith(prefix)) {
        return !type.startsWith(SIMULATION);
      }
    }
    return false;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    return name == null || !waits(name) ? null : rewritten(bytes);
  }

  private static byte[] rewritten(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Calls(writer), 0);
    return writer.toByteArray();
  }

  /** Replaces the calls of a class. */
  private static final class Calls extends ClassVisitor {
    Calls(ClassVisitor next) {
      super(ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean takesOffList = name.equals("compareAndSetOnWaitingList");
      return new MethodVisitor(
          ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
        @Override
        public void visitCode() {
          super.visitCode();
          if (takesOffList) {
            // What VirtualThread.unblock does a moment later: there must be no moment in which
            // a thread that has got a monitor looks like one that waits for it.
            super.visitVarInsn(ALOAD, 0);
            super.visitInsn(ICONST_1);
            super.visitFieldInsn(PUTFIELD, "java/lang/VirtualThread", "blockPermit", "Z");
          }
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean ofInterface) {
          if (isNanoTime(owner, called)) {
            super.visitMethodInsn(opcode, HOOK, "now", type, false);
          } else {
            super.visitMethodInsn(opcode, owner, called, type, ofInterface);
          }
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String type, Handle bootstrap, Object... arguments) {
          super.visitInvokeDynamicInsn(called, type, bootstrap, replaced(arguments));
        }
      };
    }

    /** For {@code System::nanoTime}. */
    private static Object[] replaced(Object[] arguments) {
      Object[] replaced = arguments.clone();
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof Handle handle
            && isNanoTime(handle.getOwner(), handle.getName())) {
          replaced[i] = new Handle(handle.getTag(), HOOK, "now", handle.getDesc(), false);
        }
      }
      return replaced;
    }

    private static boolean isNanoTime(String owner, String method) {
      return owner.equals("java/lang/System") && method.equals("nanoTime");
    }
  }
}
