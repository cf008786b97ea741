import type { NumberBounds, NumberOption } from '../../../shared/operation/server-numbers.ts'
import { text } from '../strings/serve.ts'
import { number, type Setting } from './setting.ts'

/** Numbers of the server, of which those with an option are settings of `serve`. */
type Group = Readonly<Record<string, NumberBounds | Described>>

/** Its help is there. */
interface Described extends NumberOption {
  readonly option: TextName
}

/** Names of what `serve` says that are no functions. */
type TextName = {
  [Name in keyof typeof text]: (typeof text)[Name] extends string ? Name : never
}[keyof typeof text]

type OptionOf<Member> = Member extends { readonly option: infer Name extends string } ? Name : never

/** Returns a setting of `serve` for each number of a group with an option, under the name of the option. */
export function numberSettings<Of extends Group>(
  group: Of,
): Record<OptionOf<Of[keyof Of]>, Setting<number>>
export function numberSettings(group: Group): Record<string, Setting<number>> {
  return Object.fromEntries(
    optionsOf(group).map(([, { option, argument, ...bounds }]) => [
      option,
      number(argument, bounds, text[option]),
    ]),
  )
}

/** Returns the values of a group by their names in the configuration of the server. */
export function numberValues<Of extends Group>(
  group: Of,
  values: Readonly<Record<OptionOf<Of[keyof Of]>, number>>,
): { readonly [Name in keyof Of]?: number }
export function numberValues(
  group: Group,
  values: Readonly<Record<string, number>>,
): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(optionsOf(group).map(([name, { option }]) => [name, values[option]]))
}

function optionsOf(group: Group): (readonly [name: string, number: Described])[] {
  return Object.entries(group).flatMap(([name, member]) =>
    'option' in member ? [[name, member] as const] : [],
  )
}
