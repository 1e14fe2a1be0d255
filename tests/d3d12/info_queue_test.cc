// ID3D12InfoQueue: what is stored, what a filter keeps out, what the limit pushes out, and what does not
// exist.
#include "d3d12/info_queue.h"

#include <string>
#include <vector>

#include "d3d12/device.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class InfoQueueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = TryMake<Device>(/*with_info_queue=*/true);
    ASSERT_EQ(device_->QueryInterface(IID_PPV_ARGS(&queue_)), S_OK);
  }
  void TearDown() override {
    queue_.Reset();
    device_ = {};
    EXPECT_EQ(LiveObjectCount(), 0);
  }

  void Say(D3D12_MESSAGE_SEVERITY severity, const char* text) {
    EXPECT_EQ(queue_->AddApplicationMessage(severity, text), S_OK);
  }
  // The texts of everything stored, oldest first.
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    for (UINT64 i = 0; i < queue_->GetNumStoredMessages(); ++i) {
      SIZE_T size = 0;
      EXPECT_EQ(queue_->GetMessage(i, nullptr, &size), S_FALSE);
      std::vector<std::max_align_t> storage(size / sizeof(std::max_align_t) + 1);
      auto* message = reinterpret_cast<D3D12_MESSAGE*>(storage.data());
      EXPECT_EQ(queue_->GetMessage(i, message, &size), S_OK);
      EXPECT_EQ(message->DescriptionByteLength, std::strlen(message->pDescription) + 1);
      texts.emplace_back(message->pDescription);
    }
    return texts;
  }
  using Strings = std::vector<std::string>;

  Ref<Device> device_;
  ComPtr<ID3D12InfoQueue> queue_;
};

TEST_F(InfoQueueTest, SharesTheDevicesReferenceCount) {
  const ULONG before = CountReferences(device_.get());
  EXPECT_EQ(queue_->AddRef(), before + 1);
  EXPECT_EQ(CountReferences(device_.get()), before + 1);
  EXPECT_EQ(queue_->Release(), before);
}

TEST_F(InfoQueueTest, MessagesComeBackAsTheyWere) {
  ASSERT_EQ(queue_->AddMessage(D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_CORRUPTION,
                               D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED, "text"),
            S_OK);
  SIZE_T size = 0;
  ASSERT_EQ(queue_->GetMessage(0, nullptr, &size), S_FALSE);
  std::vector<std::max_align_t> storage(size / sizeof(std::max_align_t) + 1);
  auto* message = reinterpret_cast<D3D12_MESSAGE*>(storage.data());
  SIZE_T short_by_one = size - 1;
  EXPECT_EQ(queue_->GetMessage(0, message, &short_by_one), E_INVALIDARG);
  EXPECT_EQ(queue_->GetMessage(0, message, nullptr), E_INVALIDARG);
  ASSERT_EQ(queue_->GetMessage(0, message, &size), S_OK);
  EXPECT_EQ(message->Category, D3D12_MESSAGE_CATEGORY_EXECUTION);
  EXPECT_EQ(message->Severity, D3D12_MESSAGE_SEVERITY_CORRUPTION);
  EXPECT_EQ(message->ID, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED);
  EXPECT_EQ(std::string(message->pDescription), "text");
  EXPECT_EQ(queue_->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, nullptr), E_INVALIDARG);
  EXPECT_EQ(queue_->GetNumStoredMessages(), 1u);
}

TEST_F(InfoQueueTest, TheLimitPushesTheOldestOut) {
  EXPECT_EQ(queue_->GetMessageCountLimit(), 1024u) << "Direct3D 12's own";
  ASSERT_EQ(queue_->SetMessageCountLimit(2), S_OK);
  EXPECT_EQ(queue_->GetMessageCountLimit(), 2u);
  for (const char* text : {"one", "two", "three"}) Say(D3D12_MESSAGE_SEVERITY_INFO, text);
  EXPECT_EQ(Texts(), (Strings{"two", "three"}));
  EXPECT_EQ(queue_->GetNumMessagesDiscardedByMessageCountLimit(), 1u);
  EXPECT_EQ(queue_->GetNumMessagesAllowedByStorageFilter(), 3u) << "no filter kept it out";
  EXPECT_EQ(queue_->GetNumMessagesDeniedByStorageFilter(), 0u);
  EXPECT_EQ(queue_->GetNumStoredMessagesAllowedByRetrievalFilter(), 2u);
  ASSERT_EQ(queue_->SetMessageCountLimit(~UINT64{0}), S_OK);
  for (int i = 0; i < 2000; ++i) Say(D3D12_MESSAGE_SEVERITY_INFO, "more");
  EXPECT_EQ(queue_->GetNumStoredMessages(), 2002u) << "no limit";
}

TEST_F(InfoQueueTest, FiltersByCategorySeverityAndId) {
  D3D12_MESSAGE_CATEGORY category = D3D12_MESSAGE_CATEGORY_EXECUTION;
  D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_MESSAGE_ID id = D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED;
  const auto by_category = [&](D3D12_INFO_QUEUE_FILTER_DESC* list) {
    list->NumCategories = 1;
    list->pCategoryList = &category;
  };
  const auto by_severity = [&](D3D12_INFO_QUEUE_FILTER_DESC* list) {
    list->NumSeverities = 1;
    list->pSeverityList = &severity;
  };
  const auto by_id = [&](D3D12_INFO_QUEUE_FILTER_DESC* list) {
    list->NumIDs = 1;
    list->pIDList = &id;
  };
  const std::function<void(D3D12_INFO_QUEUE_FILTER_DESC*)> kinds[] = {by_category, by_severity, by_id};
  for (const auto& kind : kinds) {
    for (const bool allow : {false, true}) {
      D3D12_INFO_QUEUE_FILTER filter = {};
      kind(allow ? &filter.AllowList : &filter.DenyList);
      ASSERT_EQ(queue_->PushStorageFilter(&filter), S_OK);
      queue_->ClearStoredMessages();
      EXPECT_EQ(queue_->AddMessage(category, severity, id, "named"), S_OK);
      EXPECT_EQ(queue_->AddMessage(D3D12_MESSAGE_CATEGORY_CLEANUP, D3D12_MESSAGE_SEVERITY_INFO,
                                   D3D12_MESSAGE_ID_UNKNOWN, "other"),
                S_OK);
      EXPECT_EQ(Texts(), (allow ? Strings{"named"} : Strings{"other"}));
      queue_->PopStorageFilter();
    }
  }
  EXPECT_EQ(queue_->GetNumMessagesDeniedByStorageFilter(), 6u);
  EXPECT_EQ(queue_->GetNumMessagesAllowedByStorageFilter(), 6u);
}

TEST_F(InfoQueueTest, OnlyTheTopOfTheFilterStackCounts) {
  D3D12_MESSAGE_SEVERITY info = D3D12_MESSAGE_SEVERITY_INFO;
  D3D12_MESSAGE_SEVERITY error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER no_info = {};
  no_info.DenyList.NumSeverities = 1;
  no_info.DenyList.pSeverityList = &info;
  D3D12_INFO_QUEUE_FILTER no_error = {};
  no_error.DenyList.NumSeverities = 1;
  no_error.DenyList.pSeverityList = &error;
  const auto stored = [&] {
    queue_->ClearStoredMessages();
    Say(info, "info");
    Say(error, "error");
    return Texts();
  };
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 0u);
  EXPECT_EQ(stored(), (Strings{"info", "error"}));
  queue_->PopStorageFilter();
  queue_->ClearStorageFilter();
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 0u) << "nothing to take away";
  EXPECT_EQ(queue_->AddStorageFilterEntries(&no_info), S_OK);
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 1u) << "entries need a filter to be in";
  EXPECT_EQ(stored(), (Strings{"error"}));
  EXPECT_EQ(queue_->PushCopyOfStorageFilter(), S_OK);
  EXPECT_EQ(queue_->AddStorageFilterEntries(&no_error), S_OK);
  EXPECT_EQ(stored(), Strings{}) << "the copy denies both";
  EXPECT_EQ(queue_->PushEmptyStorageFilter(), S_OK);
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 3u);
  EXPECT_EQ(stored(), (Strings{"info", "error"}));
  queue_->PopStorageFilter();
  EXPECT_EQ(stored(), Strings{});
  queue_->ClearStorageFilter();
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 2u);
  EXPECT_EQ(stored(), (Strings{"info", "error"})) << "empty now";
  queue_->PopStorageFilter();
  EXPECT_EQ(stored(), (Strings{"error"})) << "the copied one was left as it was";
  queue_->PopStorageFilter();
  EXPECT_EQ(stored(), (Strings{"info", "error"}));
}

TEST_F(InfoQueueTest, TheCopyOfNoFilterLetsEverythingPass) {
  EXPECT_EQ(queue_->PushCopyOfStorageFilter(), S_OK);
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 1u);
  Say(D3D12_MESSAGE_SEVERITY_MESSAGE, "passes");
  EXPECT_EQ(Texts(), (Strings{"passes"}));
}

TEST_F(InfoQueueTest, WrongFilters) {
  EXPECT_EQ(queue_->PushStorageFilter(nullptr), E_INVALIDARG);
  EXPECT_EQ(queue_->AddStorageFilterEntries(nullptr), E_INVALIDARG);
  UINT D3D12_INFO_QUEUE_FILTER_DESC::*const counts[] = {&D3D12_INFO_QUEUE_FILTER_DESC::NumCategories,
                                                        &D3D12_INFO_QUEUE_FILTER_DESC::NumSeverities,
                                                        &D3D12_INFO_QUEUE_FILTER_DESC::NumIDs};
  for (const auto count : counts) {
    for (const auto list : {&D3D12_INFO_QUEUE_FILTER::AllowList, &D3D12_INFO_QUEUE_FILTER::DenyList}) {
      D3D12_INFO_QUEUE_FILTER filter = {};
      filter.*list.*count = 1;
      EXPECT_EQ(queue_->PushStorageFilter(&filter), E_INVALIDARG) << "a count, but no list";
      EXPECT_EQ(queue_->AddStorageFilterEntries(&filter), E_INVALIDARG);
    }
  }
  EXPECT_EQ(queue_->GetStorageFilterStackSize(), 0u);
}

// Messages can be filtered when stored, not when read.
TEST_F(InfoQueueTest, ThereAreNoRetrievalFilters) {
  D3D12_INFO_QUEUE_FILTER filter = {};
  SIZE_T size = sizeof(filter);
  Say(D3D12_MESSAGE_SEVERITY_INFO, "kept");
  EXPECT_EQ(queue_->GetStorageFilter(&filter, &size), E_NOTIMPL);
  EXPECT_EQ(queue_->AddRetrievalFilterEntries(&filter), E_NOTIMPL);
  EXPECT_EQ(queue_->GetRetrievalFilter(&filter, &size), E_NOTIMPL);
  EXPECT_EQ(queue_->PushEmptyRetrievalFilter(), E_NOTIMPL);
  EXPECT_EQ(queue_->PushCopyOfRetrievalFilter(), E_NOTIMPL);
  EXPECT_EQ(queue_->PushRetrievalFilter(&filter), E_NOTIMPL);
  queue_->ClearRetrievalFilter();
  queue_->PopRetrievalFilter();
  EXPECT_EQ(queue_->GetRetrievalFilterStackSize(), 0u);
  EXPECT_EQ(queue_->GetNumStoredMessagesAllowedByRetrievalFilter(), 1u);
  EXPECT_EQ(Texts(), (Strings{"kept"}));
}

// strict_test.cc sees them break.
TEST_F(InfoQueueTest, BreaksAreRemembered) {
  for (const BOOL on : {TRUE, FALSE}) {
    EXPECT_EQ(queue_->SetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION, on), S_OK);
    EXPECT_EQ(queue_->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_CORRUPTION, on), S_OK);
    EXPECT_EQ(queue_->SetBreakOnID(D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED, on), S_OK);
    EXPECT_EQ(queue_->GetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION), on);
    EXPECT_EQ(queue_->GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_CORRUPTION), on);
    EXPECT_EQ(queue_->GetBreakOnID(D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED), on);
    EXPECT_EQ(queue_->GetBreakOnCategory(D3D12_MESSAGE_CATEGORY_MISCELLANEOUS), FALSE);
  }
}

TEST_F(InfoQueueTest, MutingIsRemembered) {
  EXPECT_EQ(queue_->GetMuteDebugOutput(), FALSE);
  queue_->SetMuteDebugOutput(TRUE);
  EXPECT_EQ(queue_->GetMuteDebugOutput(), TRUE);
  Say(D3D12_MESSAGE_SEVERITY_INFO, "stored");
  EXPECT_EQ(Texts(), (Strings{"stored"})) << "muting is about debug strings only";
  queue_->SetMuteDebugOutput(FALSE);
  EXPECT_EQ(queue_->GetMuteDebugOutput(), FALSE);
}

}  // namespace
}  // namespace residue::testing
