use palmette_core::{NONE, Tree};
use std::time::Instant;
fn rng(s:&mut u64)->u64{*s=s.wrapping_add(0x9E3779B97F4A7C15);let mut z=*s;z=(z^(z>>30)).wrapping_mul(0xBF58476D1CE4E5B9);z=(z^(z>>27)).wrapping_mul(0x94D049BB133111EB);z^(z>>31)}
fn gen_tree(kind:&str,n:usize,shuf:bool)->Vec<u32>{let mut s=1u64;let mut p=vec![NONE;n];for i in 1..n{p[i]=match kind{"rrt"=>(rng(&mut s)%(i as u64)) as u32,"path"=>(i-1) as u32,"cat"=>if i%2==0{(i-2) as u32}else{(i-1) as u32},"star"=>0,_=>panic!()};}
 if !shuf{return p;} let mut q:Vec<u32>=(0..n as u32).collect();for i in (1..n).rev(){q.swap(i,(rng(&mut s)%(i as u64+1)) as usize);}let mut r=vec![NONE;n];for i in 0..n{r[q[i] as usize]=if p[i]==NONE{NONE}else{q[p[i] as usize]};}r}
fn main(){
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    for kind in ["rrt","path","cat","star"] { for shuf in [false,true] {
        let p = gen_tree(kind,n,shuf);
        for t in [1,2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(t).build().unwrap();
            let mut best = f64::MAX;
            for _ in 0..3 { let s=Instant::now(); let tree=pool.install(||Tree::from_parents(&p).unwrap()); best=best.min(s.elapsed().as_secs_f64()); std::hint::black_box(&tree); }
            println!("{kind} shuffled={shuf} threads={t}: {:.0} ms", best*1e3);
        }
    }}
}
