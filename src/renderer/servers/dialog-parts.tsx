import { Group, Radio, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { ServerColor } from '../../shared/console/desktop/remote-servers.ts'
import { Notice } from '../components/blocks.tsx'
import { Strong } from '../components/text/words.tsx'
import { NameField } from '../components/text-fields.tsx'
import classes from './servers.module.css'
import { COLOR_NAMES, FAILURE_TITLE, text } from './strings.ts'

/** Says why a server cannot be connected to; nothing without a sentence. */
export function FailureNotice({ sentence }: { readonly sentence: string | undefined }) {
  if (sentence === undefined) return null
  return (
    <Notice color="red" title={FAILURE_TITLE}>
      <Text size="sm">{sentence}</Text>
    </Notice>
  )
}

/** Bytes in a row: four rows are compared more easily than one line. */
const ROW = 8

/** A fingerprint to compare by eye. */
export function Fingerprint({ label, value }: { readonly label: string; readonly value: string }) {
  const bytes = value.split(':')
  const rows = Array.from({ length: bytes.length / ROW }, (_, row) =>
    bytes.slice(row * ROW, (row + 1) * ROW).join(':'),
  )
  return (
    <div>
      <Strong>{label}</Strong>
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

interface AppearanceFieldsProps {
  readonly name: string
  readonly nameError?: string | false
  readonly color: ServerColor
  readonly nameRef?: RefObject<HTMLInputElement | null>
  readonly onName: (name: string) => void
  readonly onColor: (color: ServerColor) => void
}

/** How a server is called and marked. */
export function AppearanceFields(props: AppearanceFieldsProps) {
  const { name, nameError = false, color, nameRef, onName, onColor } = props
  return (
    <>
      <NameField
        label={text.add.name}
        description={text.add.nameHint}
        {...(nameRef === undefined ? {} : { ref: nameRef })}
        value={name}
        error={nameError}
        autoComplete="off"
        onChange={onName}
      />
      <Radio.Group
        label={text.add.color}
        value={color}
        onChange={(value) => onColor(ServerColor.parse(value))}
      >
        <Group gap="md" mt={4}>
          {ServerColor.options.map((option) => (
            <Radio
              key={option}
              value={option}
              label={
                <Group gap={6} wrap="nowrap" component="span">
                  <span className={`${classes.colored} ${classes.dot}`} data-color={option} />
                  {COLOR_NAMES[option]}
                </Group>
              }
            />
          ))}
        </Group>
      </Radio.Group>
    </>
  )
}
