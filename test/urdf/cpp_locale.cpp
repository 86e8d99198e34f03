// The locale that C++ streams start with, set to one with a decimal comma and grouped digits.
#include "cpp_locale.h"

#include <locale>
#include <string>

namespace
{

class comma : public std::numpunct<char>
{
 protected:
  char
  do_decimal_point() const override
  {
    return ',';
  }

  char
  do_thousands_sep() const override
  {
    return '.';
  }

  std::string
  do_grouping() const override
  {
    return "\3";
  }
};

}  // namespace

void
set_cpp_locale(bool decimal_comma)
{
  const std::locale & classic = std::locale::classic();
  std::locale::global(decimal_comma ? std::locale(classic, new comma) : classic);
}
