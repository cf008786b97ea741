import { createSpotlight } from '@mantine/spotlight'

/** Whether the command palette is open, and its functions to open and close it. */
export const [paletteStore, palette] = createSpotlight()
