import type { World } from './world.ts'

/** Opens the dialog of a write, and fills it in. */
export type Open = (world: World) => Promise<void>

/** A write of the console: where a person makes it, and what shows that it was made. */
export interface Write {
  /** Makes what it changes; returns the address of the screen. */
  readonly at: (world: World) => string | Promise<string>
  /** Opens the dialog and fills it in, up to the button that sends; left out for a button of the screen. */
  readonly open?: Open
  /** The button that sends. */
  readonly send: string | RegExp
  /** Opens the menu that has it, each time. */
  readonly menu?: string
  /** True where the screen itself has the button, and not a dialog. */
  readonly isOnScreen?: true
  /** Text that only a write that was made brings to the screen. */
  readonly done: string | RegExp
  /** Entries that it adds to the audit log; 1 unless told. */
  readonly audited?: number
  /** Leaves what it shows, so that another screen can be opened. */
  readonly leave?: (world: World) => Promise<void>
}

/** The writes of a part of the console: a procedure, and more words where it is called in several places. */
export type Writes = Readonly<Record<string, Write>>

/** Closes the dialog that shows something once. */
export const copied = async ({ dialog }: World) => {
  await dialog.getByRole('button', { name: /^I have (copied it|saved them)$/ }).click()
}
