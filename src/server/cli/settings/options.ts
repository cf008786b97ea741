import { type Command, Option } from 'commander'
import type { Setting } from './setting.ts'
import { optionOf, SETTING_NAMES, SETTINGS, variableOf } from './table.ts'

/** Adds the option of every setting, each with its environment variable. Returns the command. */
export function addSettingOptions(command: Command): Command {
  for (const name of SETTING_NAMES) {
    // Every command has the options that choose the database.
    if (command.options.some((option) => option.attributeName() === name)) continue
    const setting: Setting<unknown> = SETTINGS[name]
    const { argument, help, preset, choices } = setting
    const option = new Option(`${optionOf(name)} ${argument}`, help).env(variableOf(name))
    if (preset !== undefined) option.default(preset)
    // This also checks the value.
    if (choices !== undefined) option.choices(choices)
    else option.argParser((text, previous) => setting.read(text, previous))
    command.addOption(option)
  }
  return command
}
