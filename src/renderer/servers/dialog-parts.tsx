import { Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { Notice } from '../components/notice.tsx'
import classes from './servers.module.css'
import { FAILURE_TITLE } from './strings.ts'

/** Says why a server cannot be connected to; nothing without a sentence. */
export function FailureNotice({ sentence }: { readonly sentence: string | undefined }) {
  if (sentence === undefined) return null
  return (
    <Notice color="red" title={FAILURE_TITLE}>
      <Text size="sm">{sentence}</Text>
    </Notice>
  )
}

interface Props {
  readonly label: string
  readonly value: string
}

/** Bytes in a row: four rows are compared more easily than one line. */
const ROW = 8

/** A fingerprint to compare by eye. */
export function Fingerprint({ label, value }: Props) {
  const bytes = value.split(':')
  const rows = Array.from({ length: bytes.length / ROW }, (_, row) =>
    bytes.slice(row * ROW, (row + 1) * ROW).join(':'),
  )
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <pre className={classes.fingerprint}>{rows.join('\n')}</pre>
    </div>
  )
}

/**
 * Moves the focus to an element when its part of a dialog is shown: the button that led to it is gone, and the focus
 * would fall to the page.
 */
export function useFocusAtStart<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}
