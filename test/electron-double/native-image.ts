import { existsSync } from 'node:fs'
import { StandIn, standIn } from './stand-in.ts'

/** An image that is never drawn: it only stores whether it exists, and the requested size. */
export class NativeImage extends StandIn {
  private readonly empty: boolean
  private readonly width: number
  private readonly height: number
  private template = false
  private readonly source: string

  constructor(empty: boolean, width = 16, height = 16, source = 'data:image/png;base64,') {
    super()
    this.source = source
    this.empty = empty
    this.width = width
    this.height = height
  }
  isEmpty = () => this.empty
  getSize = () => ({ width: this.width, height: this.height })
  resize = ({ width = this.width, height = this.height }: { width?: number; height?: number }) =>
    new NativeImage(this.empty, width, height, this.source)
  crop = () => this
  addRepresentation = () => {}
  setTemplateImage(template: boolean): void {
    this.template = template
  }
  isTemplateImage = () => this.template
  toPNG = () => Buffer.alloc(0)
  toDataURL = () => this.source
}

export const nativeImage = standIn('nativeImage', {
  createEmpty: () => new NativeImage(true),
  createFromPath: (path: string) => new NativeImage(!existsSync(path)),
  createFromBuffer: (bytes: Buffer) => new NativeImage(bytes.length === 0),
  createFromDataURL: (url: string) => new NativeImage(!url.startsWith('data:image/'), 16, 16, url),
})
