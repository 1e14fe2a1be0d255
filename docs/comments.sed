#!/bin/sed -f
# Plain comments before and behind declarations become Doxygen's.
s|^/\* |/** |
s|^\( *\)// |\1/// |
s|\([;,{]\) */\* |\1 /**< |
