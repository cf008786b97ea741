import { globSync } from 'node:fs'
import { join, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const RENDERER = 'src/renderer'

/** A part of the product whose texts an editor reads in one sitting. */
export interface Surface {
  readonly title: string
  /** Strings modules, as paths from the root of the repository. */
  readonly modules: readonly string[]
  /** Other sources of a screen, in which no text should be left. */
  readonly components: readonly string[]
}

/** Returns the surfaces in the order of the list. Each folder of `src/renderer` is one of its own. */
export function surfaces(): readonly Surface[] {
  const screens = filesOf(`${RENDERER}/*/`).map((folder) => folder.replace(/\/$/, ''))
  return [
    ...screens.map(screen),
    {
      title: 'Console: app',
      modules: [],
      components: filesOf(`${RENDERER}/*.{ts,tsx}`),
    },
    // Without the formatter, which has no texts of its own.
    surface('Console, command line and API', 'src/shared/wording/{!(format).ts,*/*.ts}'),
    surface('Command line', 'src/server/cli/strings/*.ts'),
    surface('Public API', 'src/server/http/strings.ts'),
    surface('Desktop app outside of its page', 'src/main/**/strings.ts'),
    surface('Demo', 'build/demo/strings.ts'),
  ]
}

function screen(folder: string): Surface {
  const modules = filesOf(`${folder}/**/{strings*,*-strings}.ts`)
  const sources = filesOf(`${folder}/**/*.{ts,tsx}`)
  return {
    title: `Console: ${folder.slice(RENDERER.length + 1)}`,
    modules,
    components: sources.filter((file) => !modules.includes(file)),
  }
}

function surface(title: string, modules: string): Surface {
  return { title, modules: filesOf(modules), components: [] }
}

function filesOf(glob: string): readonly string[] {
  return globSync(glob, { cwd: ROOT })
    .map((file) => file.split(sep).join('/'))
    .toSorted()
}
