import type { Kind } from './ecommerce.policy';

/** Made up, and the same every time; no address leads to anybody. */
export const SAMPLES: Readonly<Record<Kind, readonly Readonly<Record<string, unknown>>[]>> = {
  products: [
    { sku: 'MUG-01', title: 'Stoneware mug', description: 'Glazed by hand, holds 350 ml.', price: 14.5, currency: 'EUR', stock: 120, image: '/images/mug-01.jpg' },
    { sku: 'BAG-02', title: 'Canvas tote bag', description: 'Heavy organic cotton with long handles.', price: 22, currency: 'EUR', stock: 80, image: '/images/bag-02.jpg' },
    { sku: 'NOT-03', title: 'Dotted notebook', description: '160 pages that take ink well.', price: 9.9, currency: 'EUR', stock: 300, image: '/images/not-03.jpg' },
  ],
  customers: [
    { email: 'mara@example.com', name: 'Mara Lind', phone: '+49 30 000000', city: 'Berlin', country: 'Germany' },
    { email: 'tomas@example.com', name: 'Tomas Reyes', phone: '+34 91 000000', city: 'Madrid', country: 'Spain' },
  ],
  orders: [
    { number: 'A-1001', customerEmail: 'mara@example.com', status: 'paid', placedAt: '2026-01-05T10:00:00.000Z' },
    { number: 'A-1002', customerEmail: 'tomas@example.com', status: 'open', placedAt: '2026-01-06T15:30:00.000Z' },
  ],
};
