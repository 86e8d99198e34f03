# cmake -DIN=FILE -DOUT=FILE.inc -P embed.cmake: a text as the lines of a C array, with a NUL at the
# end
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REPLACE "'\\x0a'," "'\\x0a',\n" bytes "${bytes}")
file(WRITE ${OUT} "${bytes}0\n")
