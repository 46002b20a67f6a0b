import type { RunTrack } from './run-track';

/** Runs by stream id, the one touched last at the end. Tracks grow in place, so their bytes are counted again whenever one is kept. */
export class RecentRuns {
  private readonly tracks = new Map<string, { readonly track: RunTrack; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get = (streamId: string): RunTrack | undefined => this.tracks.get(streamId)?.track;

  /** Forgets the runs that were not touched for longest when it gets too much; the given one stays. */
  keep(streamId: string, track: RunTrack): void {
    this.forget(streamId);
    this.tracks.set(streamId, { track, bytes: track.bytes });
    this.bytes += track.bytes;
    for (const oldest of this.tracks.keys()) {
      if (this.bytes <= this.maxBytes || oldest === streamId) return;
      this.forget(oldest);
    }
  }

  forget(streamId: string): void {
    this.bytes -= this.tracks.get(streamId)?.bytes ?? 0;
    this.tracks.delete(streamId);
  }
}
