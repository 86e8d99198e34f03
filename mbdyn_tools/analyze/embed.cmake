# cmake -DIN=FILE -DOUT=FILE.inc -DPARTS=FOLDER -P embed.cmake: a page, with the style and charts that
# pages share, as the lines of a C array, with a NUL at the end
file(READ ${IN} page)
file(READ ${PARTS}/page.css style)
file(READ ${PARTS}/charts.js charts)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@CHARTS@" "${charts}" page "${page}")
string(HEX "${page}" bytes)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REPLACE "'\\x0a'," "'\\x0a',\n" bytes "${bytes}")
file(WRITE ${OUT} "${bytes}0\n")
