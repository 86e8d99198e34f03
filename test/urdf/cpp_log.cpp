#include "cpp_log.h"

#include <console_bridge/console.h>

namespace
{

class counter : public console_bridge::OutputHandler
{
 public:
  int count = 0;

  // console_bridge calls it under a lock
  void
  log(const std::string &, console_bridge::LogLevel, const char *, int) override
  {
    count++;
  }
};

counter handler;

}  // namespace

void
cpp_log_install(bool counting)
{
  static console_bridge::OutputHandler * before = console_bridge::getOutputHandler();
  console_bridge::useOutputHandler(counting ? &handler : before);
  console_bridge::setLogLevel(
    counting ? console_bridge::CONSOLE_BRIDGE_LOG_DEBUG : console_bridge::CONSOLE_BRIDGE_LOG_WARN);
}

void
cpp_log_error(void)
{
  CONSOLE_BRIDGE_logError("an error of someone else");
}

int
cpp_log_count(void)
{
  return handler.count;
}

bool
cpp_log_untouched(void)
{
  return console_bridge::getOutputHandler() == &handler &&
         console_bridge::getLogLevel() == console_bridge::CONSOLE_BRIDGE_LOG_DEBUG;
}
