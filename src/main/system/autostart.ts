import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a desktop on Linux starts at login: a file in the account's autostart folder. */
export interface Autostart {
  /** The account's configuration folder, such as `~/.config`. */
  readonly configFolder: string
  readonly program: string
  readonly args: readonly string[]
}

/** Writes or removes the entry of the XDG autostart specification. Throws the error of the file system. */
export function setAutostart({ configFolder, program, args }: Autostart, wanted: boolean): void {
  const file = join(configFolder, 'autostart', 'tidegate.desktop')
  if (!wanted) {
    rmSync(file, { force: true })
    return
  }
  const command = [program, ...args].map(quote).join(' ')
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Tidegate', `Exec=${command}`]
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/** As the specification wants it: quoted for `Exec`, then escaped for a string of the file. */
function quote(argument: string): string {
  const quoted = `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}
