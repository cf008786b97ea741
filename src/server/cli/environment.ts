import { type Command, InvalidArgumentError, Option } from 'commander'
import { text as words } from './strings/common.ts'

/** Returns the environment variable of an option: `TIDEGATE_DEVICE_LIMIT` for `--device-limit`. */
function variableOf(option: Pick<Option, 'name'>): string {
  return `TIDEGATE_${option.name().replaceAll('-', '_').toUpperCase()}`
}

/**
 * Gives an environment variable to every option that is added to the command from here on.
 * The option overrides the variable, and the variable overrides the default.
 */
export function takeEnvironment(command: Command): Command {
  command.createOption = (flags, description) => {
    const option = new Option(flags, description)
    return option.env(variableOf(option))
  }
  return command
}

/** Returns the source of a setting for messages: `--tls-cert` or `TIDEGATE_TLS_CERT`. */
export function givenBy(command: Command, flag: string): string {
  const option = command.options.find(({ long }) => long === flag)
  if (option?.envVar === undefined) return flag
  return command.getOptionValueSource(option.attributeName()) === 'env' ? option.envVar : flag
}

/** Parses a boolean, which a variable can turn off as well as on. */
export function onOrOff(text: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new InvalidArgumentError(words.trueOrFalse)
}
