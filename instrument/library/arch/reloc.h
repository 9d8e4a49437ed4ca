/* reloc: nothing is relocated. */
