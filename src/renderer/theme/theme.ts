import { Alert, createTheme, type MantineColorsTuple, Notification } from '@mantine/core'
import 'react'

/** The one accent: a deep teal. */
const tide: MantineColorsTuple = [
  '#e8f6f5',
  '#d3eae9',
  '#a6d5d2',
  '#76bfbb',
  '#4eaca8',
  '#339f9a',
  '#178781',
  '#0b706b',
  '#065c58',
  '#034844',
]

/** Greys of the dark theme, with a little of the sea in them. */
const dark: MantineColorsTuple = [
  '#dbe2e5',
  '#b8c2c7',
  '#8d999f',
  '#626e74',
  '#3a4247',
  '#2b3337',
  '#20272a',
  '#14191b',
  '#0f1314',
  '#0a0d0e',
]

/** Danger; dark enough in its main shade for white text on it. */
const red: MantineColorsTuple = [
  '#fdeceb',
  '#f9d5d3',
  '#f2aaa6',
  '#eb7d77',
  '#e5564f',
  '#d9403a',
  '#c6322b',
  '#b3261e',
  '#8f1e18',
  '#6b1712',
]

/** The list of a field scrolls itself: it is reached by the keys of the field, and is no stop for the Tab key. */
const LIST = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 224, overflowY: 'auto' } },
} as const

/**
 * Calm and dense: 14 px text, an 8-pixel grid, small radii, no shadows where a line does. The font is bundled,
 * so that the console looks the same on every platform; the ones after it are for scripts that it lacks.
 */
export const theme = createTheme({
  colors: { tide, dark, red },
  primaryColor: 'tide',
  primaryShade: 7,
  respectReducedMotion: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily: '"Inter Variable", system-ui, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "Cascadia Mono", "SF Mono", "JetBrains Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '32px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  components: {
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 16, highlightOnHover: true } },
    Modal: {
      defaultProps: {
        radius: 'md',
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // The default gray below a title has too little contrast.
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        withArrow: true,
        events: { hover: true, focus: true, touch: false },
      },
    },
    // The default yellow title has too little contrast on its yellow background.
    Alert: Alert.extend({
      styles: (_theme, { color }) =>
        color === 'yellow'
          ? {
              root: {
                backgroundColor:
                  'light-dark(var(--mantine-color-yellow-light), rgb(252 196 25 / 16%))',
              },
              title: { color: 'light-dark(#7a4f00, #fff3bf)' },
            }
          : {},
    }),
    Select: LIST,
    Autocomplete: LIST,
    TagsInput: LIST,
    ActionIcon: { defaultProps: { variant: 'subtle' } },
  },
})

declare module 'react' {
  /** Custom properties may be set from components. */
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined
  }
}
