// The counting that everything else rests on, and the objects that applications never see.
#include "com/com_object.h"

#include "cpu/backend/cpu_memory.h"
#include "cpu/backend/cpu_stream.h"
#include "d3d12/commands.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class Mortal final : public ComObject<IUnknown> {
 public:
  explicit Mortal(bool* revived) noexcept : revived_(revived) {}
  ~Mortal() override { *revived_ = TryAddRef(); }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  bool* const revived_;
};

// A program may look for the one device of the process just when another thread drops it.
TEST(ComObjectTest, WhatIsAboutToDieIsNotRevived) {
  bool revived = true;
  Ref<Mortal> object = TryMake<Mortal>(&revived);
  ASSERT_TRUE(object->TryAddRef());
  EXPECT_EQ(CountReferences(object.get()), 2u);
  EXPECT_EQ(object->Release(), 1u);
  EXPECT_TRUE(revived) << "alive so far";
  EXPECT_EQ(LiveObjectCount(), 1);
  object = {};
  EXPECT_FALSE(revived);
  EXPECT_EQ(LiveObjectCount(), 0);
}

// One identity, no other interface, and a refusal takes no reference.
void ExpectPlainUnknown(IUnknown* object) {
  ComPtr<IUnknown> identity;
  ComPtr<IUnknown> again;
  EXPECT_EQ(object->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(identity.GetAddressOf())),
            S_OK);
  ASSERT_NE(identity.Get(), nullptr);
  EXPECT_EQ(identity.As(&again), S_OK);
  EXPECT_EQ(identity.Get(), again.Get());
  const ULONG references = CountReferences(object);
  EXPECT_EQ(references, 3u);
  void* none = object;
  EXPECT_EQ(object->QueryInterface(__uuidof(ID3D12Resource), &none), E_NOINTERFACE);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(object->QueryInterface(__uuidof(IUnknown), nullptr), E_POINTER);
  EXPECT_EQ(CountReferences(object), references);
}

TEST(ComObjectTest, MemoryIsAnObject) {
  {
    const Ref<CpuMemory> memory = CpuMemory::Allocate(16);
    ASSERT_TRUE(memory);
    ExpectPlainUnknown(memory.get());
  }
  EXPECT_EQ(LiveObjectCount(), 0);
}

// One for all: it is never counted, and never goes.
TEST(ComObjectTest, TheProcessorsStreamIsAnObject) {
  CpuStream* const stream = CpuStream::Get();
  void* found = nullptr;
  EXPECT_EQ(stream->QueryInterface(__uuidof(IUnknown), &found), S_OK);
  EXPECT_EQ(found, static_cast<IUnknown*>(stream));
  EXPECT_EQ(stream->QueryInterface(__uuidof(ID3D12Resource), &found), E_NOINTERFACE);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(stream->QueryInterface(__uuidof(IUnknown), nullptr), E_POINTER);
  EXPECT_EQ(LiveObjectCount(), 0);
}

TEST(ComObjectTest, CommandsAreObjectsAndTheirOwnWork) {
  {
    const Ref<CpuMemory> memory = CpuMemory::Allocate(16);
    ASSERT_TRUE(memory);
    const auto side = [&](uint64_t offset) {
      return CopyCommand::Side{Ref<IDeviceMemory>::Share(memory.get()), offset};
    };
    const Ref<CopyCommand> command = TryMake<CopyCommand>(side(8), side(0), 4u);
    ExpectPlainUnknown(static_cast<IHostCommand*>(command.get()));
    std::memcpy(memory->Data(), "abcdefghijklmnop", 16);
    const Ref<IHostWork> work = Ref<IHostWork>::Adopt(static_cast<IHostCommand*>(command.get())->Submit());
    EXPECT_EQ(work.get(), static_cast<IHostWork*>(command.get()));
    EXPECT_EQ(CountReferences(command.get()), 2u) << "submitted work is counted";
    CpuStream stream;
    work->Encode(stream);
    EXPECT_EQ(std::memcmp(memory->Data(), "abcdefghabcdmnop", 16), 0);
  }
  EXPECT_EQ(LiveObjectCount(), 0);
}

// A view of less than one element has none to fill.
TEST(ComObjectTest, AClearOfNothingWritesNothing) {
  const Ref<CpuMemory> memory = CpuMemory::Allocate(16);
  ASSERT_TRUE(memory);
  const UINT values[4] = {~0u, ~0u, ~0u, ~0u};
  const Ref<ClearCommand> command = TryMake<ClearCommand>(
      CopyCommand::Side{Ref<IDeviceMemory>::Share(memory.get()), 0}, BufferView{0, 0, 4}, values);
  CpuStream stream;
  command->Encode(stream);
  const std::byte zeros[16] = {};
  EXPECT_EQ(std::memcmp(memory->Data(), zeros, 16), 0);
}

// Long fills go in parts, which are a whole number of patterns.
TEST(CpuStreamTest, LongFillsRepeatTheWholePattern) {
  constexpr uint64_t kBytes = 200'003;
  const Ref<CpuMemory> memory = CpuMemory::Allocate(kBytes);
  ASSERT_TRUE(memory);
  CpuStream stream;
  for (const uint32_t length : {1u, 3u, 12u, 16u}) {
    uint8_t pattern[16];
    for (uint32_t i = 0; i < length; ++i) pattern[i] = static_cast<uint8_t>(17 * i + length);
    stream.Fill({memory.get(), 0}, kBytes, pattern, length);
    const auto* bytes = static_cast<const uint8_t*>(memory->HostAddress());
    for (uint64_t i = 0; i < kBytes; ++i) ASSERT_EQ(bytes[i], pattern[i % length]) << length << " at " << i;
  }
}

}  // namespace
}  // namespace residue::testing
